"""What recall is asked: one turn, as the hook, the command line, the service and the app know it. Plain values only."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from sqlite3 import Connection

    from store.index.semantic import Semantic

LAYOUTS = ("governed", "knowledge", "context")
MARKS = {"claude": "claude-code", "claudecode": "claude-code", "copilot-cli": "copilot", "gemini-cli": "gemini"}
"""Other names of agents."""


class Notes:
    """What people noted besides memories: open items, today's log, today's sessions. Read by the caller."""

    __slots__ = ("daily", "scratchpad", "sessions")

    def __init__(
        self, scratchpad: tuple[str, ...] = (), daily: tuple[str, ...] = (), sessions: tuple[str, ...] = ()
    ) -> None:
        self.scratchpad = scratchpad
        self.daily = daily
        self.sessions = sessions


class Request:
    """One turn."""

    __slots__ = (
        "agent", "budget", "cwd", "domains", "files", "fusion", "judge", "knowledge", "layout", "mode", "notes",
        "previous", "profile",
        "project",
        "project_name",
        "prompt", "root", "semantic", "session", "today", "transcript", "used", "weak", "weights",
    )  # fmt: skip

    def __init__(
        self,
        prompt: str,
        *,
        project: str | None = None,
        project_name: str = "",
        root: str | None = None,
        cwd: str = "",
        files: tuple[str, ...] = (),
        agent: str = "",
        session: str = "",
        layout: str = "governed",
        profile: str | None = None,
        transcript: str | None = None,
        today: str = "",
        budget: int | None = None,
        mode: str = "hybrid",
        fusion: str = "weighted",
        notes: Notes | None = None,
        used: dict[str, int] | None = None,
        weak: tuple[tuple[str, str], ...] = (),
        domains: tuple[str, ...] = (),
        knowledge: Connection | None = None,
        previous: tuple[str, ...] = (),
        semantic: Semantic | None = None,
        judge: Callable[[str, Sequence[str]], set[int]] | None = None,
    ) -> None:
        self.prompt = prompt
        self.project = project
        """Id of the project, None where none can be told."""
        self.project_name = project_name
        self.root = root
        """The repository on disk, for what is read from it; None for nothing."""
        self.cwd = cwd
        """Where the agent works, relative to the repository, with forward slashes; empty at its top."""
        self.files = files
        """Files that the session worked on lately, relative to the repository."""
        self.agent = MARKS.get(agent, agent)
        self.session = session
        self.layout = layout
        self.profile = profile
        self.transcript = transcript
        """What the model can still see of the conversation; None when nobody knows."""
        self.today = today
        """The date, `2026-11-29`: the only clock in a plan."""
        self.budget = budget
        self.mode = mode
        self.fusion = fusion
        self.notes = notes or Notes()
        self.used = used or {}
        """When records were last put into this session, as turns, by id."""
        self.weak = weak
        """Domains where the agent does badly, each with what to say of it."""
        self.domains = domains
        """Domains that the project is known to be in."""
        self.semantic = semantic
        """Who searches by meaning instead of the table in the package."""
        self.judge = judge
        """Says which texts are of use for the prompt, by their places. Raises `judge.Failed`."""
        self.weights: Mapping[str, float] = {}
        """How much a tier counts for an agent, by `AGENT.TIER`, where the settings say so."""
        self.previous = previous
        """What another agent left behind in this project just now."""
        self.knowledge = knowledge
        """The index of what happened and what there is, for the layout that tells of it."""
