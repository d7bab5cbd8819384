"""Guidance in eleven languages is found and its text kept; a language without cues is named."""

from __future__ import annotations

import pytest

from curate.capture import lexicon
from curate.capture.intent import classify

DURABLE = {
    "de": ["ab jetzt bitte keine Emojis im Commit", "Frag mich immer, bevor du neue Pakete installierst."],
    "fr": ["À l'avenir, pas de commentaires dans le code sauf si je te le demande.", "on utilise yarn ici, pas npm"],
    "es": ["A partir de ahora los mensajes de commit en inglés.", "nunca edites los archivos de la carpeta generated"],
    "pt": ["A partir de agora nunca faça push direto na main.", "antes de cada commit rode os testes"],
    "it": ["D'ora in poi i commenti nel codice sempre in inglese.", "prima di ogni commit lancia i test"],
    "nl": ["Vraag altijd eerst voordat je een bestand verwijdert.", "vanaf nu commits altijd in het Engels"],
    "ru": ["Больше не трогай миграции", "Перед каждым коммитом запускай тесты."],
    "zh": ["以后不要改生成的文件", "每次提交前先跑一遍测试"],
    "ja": ["今後はnpmではなくpnpmを使って", "コミット前に必ずテストを実行してください"],
    "ko": ["앞으로 커밋 전에는 항상 테스트를 실행해", "패키지 추가하기 전에 꼭 물어봐"],
}
NOT = {
    "de": ["Der Knopf soll nie grau sein, wenn der Nutzer angemeldet ist.", "warum ist die Seite so langsam?"],
    "fr": ["le menu doit toujours rester visible", "pourquoi la page est blanche ?"],
    "es": ["el usuario nunca debe poder borrar su rol", "por ahora no toques la base de datos"],
    "pt": ["Por enquanto deixa o cache desligado, sempre dá erro quando ligo.", "corrige os erros de tipo"],
    "it": ["il totale deve essere sempre visibile in basso", "questa volta salta i test"],
    "nl": ["het totaal moet altijd onderaan staan", "waarom is de pagina leeg?"],
    "ru": ["итог всегда должен быть внизу", "пока не трогай базу"],
    "zh": ["先不要改数据库，等我确认字段。", "总价必须一直显示在底部"],
    "ja": ["この画面ではボタンを常に右下に表示してください。", "まだ動きません"],
    "ko": ["합계는 항상 화면 아래에 표시", "왜 페이지가 하얗게 나와?"],
}


@pytest.mark.parametrize(("code", "text"), [(c, t) for c, texts in DURABLE.items() for t in texts])
def test_durable(code: str, text: str) -> None:
    verdict = classify(text)
    assert verdict.durable, verdict.confidence
    assert verdict.items[0].statement in text
    assert verdict.items[0].language == code


@pytest.mark.parametrize("text", [t for texts in NOT.values() for t in texts])
def test_not_durable(text: str) -> None:
    assert not classify(text).durable


def test_every_language_has_a_lexicon() -> None:
    assert set(lexicon.default().codes) == {"en", *DURABLE}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("हमेशा हिंदी में जवाब दो", "und"),
        ("ajde uvijek pokreni testove prije commita", "hr"),
        ("använd alltid pnpm i det här projektet, inte npm", "sv"),
        ("brug altid pnpm i dette projekt, aldrig npm", "da"),
        ("zawsze używaj pnpm w tym projekcie, nigdy npm", "pl"),
        ("bu projede her zaman pnpm kullan, asla npm değil", "tr"),
        ("v tomto projektu vždy používej pnpm, nikdy npm", "cs"),
        ("käytä aina pnpm:ää tässä projektissa, älä koskaan npm:ää", "fi"),
        ("завжди використовуй pnpm, ніколи npm", "uk"),
        ("luôn dùng pnpm trong dự án này, không dùng npm", "vi"),
    ],
)
def test_a_language_without_cues_is_named_and_not_guessed_at(text: str, code: str) -> None:
    verdict = classify(text)
    assert (verdict.language, verdict.cues_known, verdict.durable) == (code, False, False)


def test_a_language_of_ones_own() -> None:
    text = "ajde uvijek pokreni testove prije commita"
    more = lexicon.default().extended(
        [
            {
                "language": "hr",
                "name": "Hrvatski",
                "function_words": ["ajde", "prije", "je", "i"],
                "classes": {"always": ["uvijek"], "whenagent": ["prije commita"], "act": ["pokreni"]},
            }
        ]
    )
    assert classify(text, lexicon=more).language == "hr"
    assert classify(text, lexicon=more).durable
