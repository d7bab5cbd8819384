from __future__ import annotations

import pytest

from store.project.gitdir import read_config
from store.project.remote import normalise


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/acme/Shop",
        "https://github.com/acme/Shop.git",
        "https://github.com/acme/Shop.git/",
        "https://github.com/acme/Shop/",
        "http://GitHub.com:80/acme/Shop.git",
        "https://user@github.com/acme/Shop.git",
        "https://user:p@ss:w0rd@github.com:443/acme/Shop.git",
        "https://x-access-token:ghp_0123456789@github.com/acme/Shop",
        "https://github.com/acme/Shop.git?private_token=abc",
        "git@github.com:acme/Shop.git",
        "git@github.com:/acme/Shop.git",
        "github.com:acme/Shop",
        "ssh://git@github.com/acme/Shop.git",
        "ssh://git@github.com:22/acme/Shop.git",
        "ssh://git@ssh.github.com:443/acme/Shop.git",
        "git+ssh://git@github.com/acme/Shop.git",
        "git://github.com/acme/Shop.git",
        "  https://github.com//acme//Shop.git\n",
        "https://github.com./acme/Shop",
    ],
)
def test_every_way_of_writing_an_address_gives_one_name(url):
    assert normalise(url) == "github.com/acme/Shop"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://gitlab.com/group/sub/deep/shop.git", "gitlab.com/group/sub/deep/shop"),
        ("git@[2001:db8::1]:acme/shop.git", "2001:db8::1/acme/shop"),
        ("ssh://git@host:2222/~user/shop", "host/~user/shop"),
        ("git@ssh.dev.azure.com:v3/org/proj/repo", "dev.azure.com/org/proj/_git/repo"),
        ("https://org@dev.azure.com/org/proj/_git/repo", "dev.azure.com/org/proj/_git/repo"),
        ("https://git.example.com/a/c%23.git", "git.example.com/a/c%23"),
        ("https://例え.jp/組/店.git", "例え.jp/組/店"),
        ("work:acme/shop", "work/acme/shop"),
        ("codecommit::ssh://git@host/shop", "host/shop"),
    ],
)
def test_other_hosts_and_forms(url, name):
    assert normalise(url) == name


@pytest.mark.parametrize(
    "url",
    [
        "/srv/git/shop.git",
        "file:///srv/git/shop.git",
        "file://localhost/srv/git/shop",
        "../git/shop",
        "/srv/git/shop/.git",
    ],
)
def test_a_repository_on_this_machine_is_named_by_its_real_path(url):
    assert normalise(url, base="/srv/work") == "file:/srv/git/shop"


@pytest.mark.parametrize("url", ["", "   ", "https://", "https://host", "git@host:", "file://"])
def test_an_address_that_names_nothing_gives_nothing(url):
    assert normalise(url) is None


def test_no_form_lets_a_token_through():
    for url in (
        "https://tok:en@h/x",
        "https://to@k:en@h/x",
        "ssh://token@h:1/x",
        "token@h:x",
        "http://token@h:8080/x#token",
    ):
        assert "tok" not in str(normalise(url)), url


def test_git_configuration_is_read_as_git_reads_it():
    text = """
; comment
[core]
    bare = false
[Remote "ori\\"gin"] ; tail
    URL = "https://h/a b" # tail
    fetch = +refs/heads/*:refs/remotes/origin/*
    url = https://h/\\
second
[remote.old]
  url=x;y
  flag
[branch "a.b/c"] remote = up
"""
    assert [entry for entry in read_config(text) if entry[2] != "fetch"] == [
        ("core", "", "bare", "false"),
        ("remote", 'ori"gin', "url", "https://h/a b"),
        ("remote", 'ori"gin', "url", "https://h/second"),
        ("remote", "old", "url", "x"),
        ("remote", "old", "flag", "true"),
        ("branch", "a.b/c", "remote", "up"),
    ]
