/** A word that may follow, with its meaning. */
interface Word {
  readonly text: string;
  readonly meaning: string;
}

interface CompletedOption {
  /** `--role`, `-h`. */
  readonly flags: readonly string[];
  readonly meaning: string;
  /** Whether a value follows. */
  readonly takesValue: boolean;
  /** The values to choose from. Empty: any value. */
  readonly choices: readonly string[];
}

/** A place in a command line: the words so far, and what may follow. */
export interface Place {
  /** The names of the command, such as `kalends user add`. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly CompletedOption[];
  /** The values of the arguments to choose from. */
  readonly choices: readonly string[];
  /** Whether an argument is a file. */
  readonly takesFile: boolean;
}

export function bashScript(program: string, places: readonly Place[]): string {
  const cases = places.map(({ path, commands, options, choices, takesFile }) => {
    const words = [...commands.map(({ text }) => text), ...choices, ...flagsOf(options)];
    return `    ${quoted(path)}) words=${quoted(words.join(' '))}${takesFile ? '; files=1' : ''} ;;`;
  });
  return `# Completion of ${program} for bash. Use: eval "$(${program} completion bash)"
_${program}() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} place=${program} words= files= word
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$place $word" in
      ${subcommandPattern(places)}) place="$place $word" ;;
    esac
  done
  case "$place $previous" in
${valueCases(places, (choices) => `COMPREPLY=($(compgen -W ${quoted(choices.join(' '))} -- "$current")); return`)}
  esac
  case "$place" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ $files && $current != -* ]]; then
    COMPREPLY=()
    compopt -o default
  fi
}
complete -F _${program} ${program}
`;
}

export function zshScript(program: string, places: readonly Place[]): string {
  const described = (words: readonly Word[]) =>
    words.map(({ text, meaning }) => quoted(`${text.replaceAll(':', '\\:')}:${meaning}`)).join(' ');
  const cases = places.map(({ path, commands, options, choices, takesFile }) => {
    const words = [
      ...commands,
      ...choices.map((text) => ({ text, meaning: '' })),
      ...options.flatMap(({ flags, meaning }) => flags.map((text) => ({ text, meaning }))),
    ];
    return `    ${quoted(path)}) words_here=(${described(words)})${takesFile ? '; _files' : ''} ;;`;
  });
  return `#compdef ${program}
# Completion of ${program} for zsh. Use: eval "$(${program} completion zsh)"
_${program}() {
  local place=${program} word
  local -a words_here
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place $word" in
      ${subcommandPattern(places)}) place="$place $word" ;;
    esac
  done
  case "$place \${words[CURRENT-1]}" in
${valueCases(places, (choices) => `compadd -- ${choices.map(quoted).join(' ')}; return`)}
  esac
  case "$place" in
${cases.join('\n')}
  esac
  _describe '${program}' words_here
}
if [ "\${funcstack[1]}" = "_${program}" ]; then
  _${program} "$@"
else
  compdef _${program} ${program}
fi
`;
}

export function fishScript(program: string, places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, options, choices, takesFile }) => {
    const here = `complete -c ${program} -n ${quoted(`__${program}_at "${path}"`)}`;
    return [
      ...commands.map(({ text, meaning }) => `${here} -a ${quoted(text)} -d ${quoted(meaning)}`),
      ...(choices.length > 0 ? [`${here} -a ${quoted(choices.join(' '))}`] : []),
      ...(takesFile ? [`${here} -F`] : []),
      ...options.map((option) => `${here} ${fishOption(option)}`),
    ];
  });
  const paths = places.map(({ path }) => quoted(path)).join(' ');
  return `# Completion of ${program} for fish. Use: ${program} completion fish | source
function __${program}_at
  set -l place ${program}
  for word in (commandline -opc)[2..-1]
    if contains -- "$place $word" ${paths}
      set place "$place $word"
    end
  end
  test "$place" = $argv[1]
end
complete -c ${program} -f
${lines.join('\n')}
`;
}

function fishOption({ flags, meaning, takesValue, choices }: CompletedOption): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const value = takesValue ? ['-x', ...(choices.length > 0 ? [`-a ${quoted(choices.join(' '))}`] : [])] : [];
  return [...names, ...value, `-d ${quoted(meaning)}`].join(' ');
}

/** Returns a pattern of `case` that matches every subcommand with its path. */
function subcommandPattern(places: readonly Place[]): string {
  return places
    .slice(1)
    .map(({ path }) => quoted(path))
    .join('|');
}

/** Returns a line of `case` for each option with a value: the path and the option before the word to complete. */
function valueCases(places: readonly Place[], complete: (choices: readonly string[]) => string): string {
  const lines = places.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ flags, choices }) => {
        const pattern = flags.map((flag) => quoted(`${path} ${flag}`)).join('|');
        return `    ${pattern}) ${choices.length > 0 ? complete(choices) : 'return'} ;;`;
      }),
  );
  return lines.join('\n');
}

function flagsOf(options: readonly CompletedOption[]): string[] {
  return options.flatMap(({ flags }) => flags);
}

/** Returns a text as one word of any of the shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
