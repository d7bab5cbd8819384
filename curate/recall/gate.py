"""Which prompts get no context at all: trivial ones, and those that no person wrote. Standard library only."""

from __future__ import annotations

SHORTEST = 4
"""Columns of a prompt that may be worth an answer; a wide character is a word's worth and counts two."""

MACHINE = (
    "<task-notification", "<teammate-message", "<agent-message", "<subagent", "<heartbeat", "<command-name>",
    "<command-message>", "<local-command", "<bash-", "<turn_aborted", "<compaction-summary", "<conversation-summary",
    "Another Claude session sent a message", "Caveat: The messages below were generated",
    "[Request interrupted by user",
    "This session is being continued from a previous conversation", "Stop hook feedback:",
    "# AGENTS.md instructions for ",
)  # fmt: skip
"""How prompts begin that agents write to themselves."""

FOREIGN = (
    "hook_context", "system-reminder", "system_reminder", "user-prompt-submit-hook", "session-start-hook",
    "hook-context",
    "environment_context", "environment_details", "ide_opened_file", "ide_selection", "ide_diagnostics",
    "memory-context",
    "curate-memory", "local-command-caveat",
)  # fmt: skip
"""Elements that agents and editors put around what a person typed."""

_WORDS = (
    "ok okay okey k kk yes yep yeah yup ya no nope nah sure thanks thank thx ty tysm cheers great nice cool perfect "
    "awesome excellent wonderful amazing brilliant fantastic good lgtm done agreed right correct exactly alright "
    "understood fine continue proceed go next yay wow indeed absolutely definitely certainly hello hi hey bye goodbye "
    "please ack acknowledged noted roger affirmative np nvm si sí gracias vale claro merci oui non parfait danke ja "
    "nein genau passt super obrigado obrigada sim grazie va bene bedankt dank да нет спасибо хорошо ладно ок "
    "好 好的 好吧 "
    "谢谢 可以 是 是的 对 行 はい いいえ ありがとう 了解 네 예 아니요 감사합니다 "
    "좋아요"
)
_PHRASES = (
    "sounds good,looks good,looks great,sounds great,got it,go ahead,go on,go for it,carry on,do it,do that,do so,"
    "yes please,no thanks,no problem,never mind,makes sense,i see,i agree,all good,will do,well done,good job,"
    "great job,nice work,good work,great work,that works,that is fine,that's fine,thats fine,that's it,thats it,"
    "that is it,very good,of course,you're welcome,good morning,good night,keep going,let's go,lets go,let's do it,"
    "lets do it,ship it,works for me,thank you,thank you so much,thank you very much,thanks a lot,many thanks,"
    "so much,very much,a lot,for that,for now,that's right,thats right,that is right,perfect thanks,i am done,"
    "i'm done,all done,we are done,we're done,fair enough,d'accord,ça marche,de acuerdo,muchas gracias,está bien,"
    "alles klar,vielen dank,muito obrigado,it works,works now,it works now,that's all,thats all,that is all,nice one,"
    "love it,i like it,please do,please continue,please proceed"
)
_ACKNOWLEDGEMENTS = frozenset(_WORDS.split()) | frozenset(_PHRASES.split(","))
_LONGEST = 4
"""Words of the longest phrase."""


def own_words(prompt: str) -> str:
    """The prompt without what hooks and editors put around it."""
    if "<" not in prompt:
        return prompt.strip()
    for name in FOREIGN:
        start = prompt.find(f"<{name}")
        while start >= 0 and prompt[start + len(name) + 1 : start + len(name) + 2] in {">", " ", "\n"}:
            end = prompt.find(f"</{name}>", start)
            prompt = prompt[:start] + (prompt[end + len(name) + 3 :] if end >= 0 else "")
            start = prompt.find(f"<{name}")
    return prompt.strip()


def skip_reason(prompt: str) -> str | None:
    """Why a prompt (its own words) gets no context, or None when it may get some."""
    if prompt.startswith(MACHINE):
        return "machine_prompt"
    if sum(2 if char > "\u1100" else 1 for char in prompt[:SHORTEST]) < SHORTEST:
        return "too_short"
    if _is_command(prompt):
        return "slash_command"
    return "acknowledgement" if _is_acknowledgement(prompt) else None


def _is_command(prompt: str) -> bool:
    """`/name ...`; a path has another slash, or a dot, in its first word."""
    if prompt[0] != "/":
        return False
    name = prompt.split(None, 1)[0][1:]
    return bool(name) and name[0].isalpha() and all(char.isalnum() or char in "_-:" for char in name)


def _is_acknowledgement(prompt: str) -> bool:
    """Whether the prompt is made of nothing but acknowledgements."""
    if len(prompt) > 80:
        return False
    plain = "".join(char if char.isalnum() or char in "'’" else " " for char in prompt.lower()).replace("’", "'")
    said = plain.split()
    at = 0
    while at < len(said):
        for length in range(min(_LONGEST, len(said) - at), 0, -1):
            if " ".join(said[at : at + length]) in _ACKNOWLEDGEMENTS:
                at += length
                break
        else:
            return False
    return True
