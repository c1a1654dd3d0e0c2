"""Help in the chosen language: laid out by cyclopts, in the words of the catalogue.

What imports cyclopts' layout is imported where help is shown: every command would wait for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from jatdae.core.messages import say, translated

if TYPE_CHECKING:
    from cyclopts.help import HelpEntry, HelpPanel, InlineText
    from rich.console import Console, ConsoleOptions


class HelpInWords:
    """A help formatter of cyclopts: its panels, with titles, descriptions and notes as we say them."""

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        """Show one panel of commands or flags."""
        from cyclopts.help import DefaultFormatter, specs

        columns = {"command": specs.get_default_command_columns, "parameter": specs.get_default_parameter_columns}
        *names, description = columns[panel.format](console, options, panel.entries)
        show = DefaultFormatter(column_specs=(*names, description.copy(renderer=_described)))
        show(console, options, panel.copy(title=translated(str(panel.title))))

    def render_usage(self, console: Console, _options: ConsoleOptions, usage: Any) -> None:
        """Show the first line."""
        words = " ".join(translated(word) for word in str(usage).split())
        console.print(Text(say("help_usage", words=words) + "\n", "bold"))

    def render_description(self, console: Console, _options: ConsoleOptions, description: Any) -> None:
        """Show what a command does."""
        console.print(_in_words(description))


def _described(entry: HelpEntry) -> InlineText:
    """What a command or flag is for, then its choices and its default."""
    described: InlineText = _in_words(entry.description)
    if entry.choices:
        described.append(Text(say("help_choices", choices=", ".join(entry.choices)), "cyclopts.choices"))
    if entry.default is not None:
        described.append(Text(say("help_default", default=entry.default), "cyclopts.default"))
    if entry.required:
        described.append(Text(say("help_required"), "cyclopts.required"))
    return described


def _in_words(description: Any) -> Any:
    """A description as cyclopts made it of a docstring, in the chosen language; none stays none."""
    from cyclopts.help import InlineText
    from rich.markdown import Markdown

    written = getattr(description, "primary_renderable", None)
    if not isinstance(written, Markdown):
        return description
    return InlineText(Markdown(translated(written.markup)), force_empty_end=description.force_empty_end)
