"""`jatdae --install-completion`: a shell that completes commands and options."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

from jatdae.cli.output import tell
from jatdae.core.errors import DataError, UsageError
from jatdae.core.messages import say

Shell = Literal["zsh", "bash", "fish", "powershell"]


def completion_of(app: App) -> Callable[..., None]:
    """The command that installs completion of what `app` offers."""

    def install_completion(
        *,
        shell: Annotated[Shell | None, Parameter(help="Shell (default: the current one).")] = None,
        out: Annotated[
            Path | None,
            Parameter(alias="-o", help="Output file (default: where the shell looks for completions)."),
        ] = None,
    ) -> None:
        """Install shell completion for commands and options."""
        from cyclopts.completion.detect import ShellDetectionError

        try:
            place = app.install_completion(shell=shell, output=out)
        except ShellDetectionError:
            raise UsageError(say("which_shell")) from None
        except OSError as error:
            raise DataError(say("cannot_write", place=error.filename, problem=error.strerror or error)) from None
        tell(say("completion_installed", place=place))

    return install_completion
