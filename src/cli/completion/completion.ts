import { script } from '@bomb.sh/tab';
import { Argument, Command } from '@commander-js/extra-typings';
import { capturedLog } from './captured-log.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

const NOTES = `
It completes commands, options, suites, models and the names of runs. krisis has
to be on the PATH (npm install -g krisis).

Examples:
  krisis completion bash >> ~/.bashrc
  krisis completion zsh > ~/.zsh/completions/_krisis
  krisis completion fish > ~/.config/fish/completions/krisis.fish
`;

/** Bash without the bash-completion package lacks the function that the script reads the words with. */
const WORDS_OF_BASH = `if ! declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref() {
        words=("\${COMP_WORDS[@]}")
        cword=$COMP_CWORD
        cur=\${COMP_WORDS[COMP_CWORD]}
        prev=\${COMP_WORDS[COMP_CWORD-1]}
    }
fi
`;

/** `krisis completion SHELL`: the script that makes a shell complete what is typed after \`krisis\`. */
export function completionCommand() {
  return new Command('completion')
    .description('print a script for completion in your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .addHelpText('after', NOTES)
    .action((shell) => {
      const made = capturedLog(() => script(shell, 'krisis', 'krisis'));
      process.stdout.write(`${shell === 'bash' ? forBash(made) : made}\n`);
    });
}

/** Can be sourced twice, works without bash-completion, completes file names where krisis knows nothing better, and hands over the words as they are: `eval` would run a `$(...)` among them. */
function forBash(made: string): string {
  const changed = made
    .replaceAll(/^readonly (?=ShellComp)/gm, '')
    .replace(/^complete -F/m, 'complete -o default -F')
    .replace(
      '$(eval "$requestComp" 2>/dev/null)',
      `$(krisis complete -- "\${words[@]:1:cword}" 2>/dev/null)`,
    );
  return `${WORDS_OF_BASH}\n${changed}`;
}
