import type { Command, Option } from 'commander';

export type Shell = 'bash' | 'zsh' | 'fish';

/** Prints a completion script, made from the commands and options that the program has. */
export function completion(program: Command, shell: Shell): void {
  process.stdout.write(SCRIPTS[shell](program.commands));
}

const SCRIPTS: Record<Shell, (commands: readonly Command[]) => string> = {
  bash: (commands) => `# bash completion for podgraft
_podgraft() {
  local word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} options= values=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map((command) => command.name()).join(' ')}" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${commands.map(bashCase).join('\n')}
  esac
  if [ -n "$values" ]; then COMPREPLY=($(compgen -W "$values" -- "$word"))
  elif [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$word"))
  else COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _podgraft podgraft
`,

  zsh: (commands) => `#compdef podgraft
_podgraft() {
  if (( CURRENT == 2 )); then
    local -a commands=(${commands.map((command) => quoted(`${command.name()}:${command.description()}`)).join(' ')})
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${commands.map((command) => `    ${command.name()}) _arguments ${[...command.options.map(zshOption), ...zshArguments(command), "'*:file:_files'"].join(' ')} ;;`).join('\n')}
  esac
}
compdef _podgraft podgraft
`,

  fish: (commands) =>
    [
      '# fish completion for podgraft',
      ...commands.map(
        (command) =>
          `complete -c podgraft -f -n __fish_use_subcommand -a ${command.name()} -d ${quoted(command.description())}`,
      ),
      ...commands.flatMap((command) => command.options.map((option) => fishOption(command, option))),
      '',
    ].join('\n'),
};

function bashCase(command: Command): string {
  const flags = command.options.flatMap(flagsOf);
  const choices = command.options
    .filter(({ argChoices }) => argChoices !== undefined)
    .map((option) => `        ${flagsOf(option).join('|')}) values="${option.argChoices?.join(' ')}" ;;`);
  const [argument] = command.registeredArguments;
  const values = argument?.argChoices ?? [];
  return [
    `    ${command.name()})`,
    `      options="${flags.join(' ')}"`,
    ...(values.length > 0 ? [`      values="${values.join(' ')}"`] : []),
    ...(choices.length > 0 ? ['      case "$previous" in', ...choices, '      esac'] : []),
    '      ;;',
  ].join('\n');
}

function zshOption(option: Option): string {
  const value = option.argChoices === undefined ? ':_files' : `:(${option.argChoices.join(' ')})`;
  const argument = option.required ? `:value${value}` : '';
  const text = option.description.replaceAll(/[[\]:]/g, '\\$&');
  return flagsOf(option)
    .map((flag) => quoted(`*${flag}[${text}]${argument}`))
    .join(' ');
}

function zshArguments(command: Command): string[] {
  return command.registeredArguments
    .filter(({ argChoices }) => argChoices !== undefined)
    .map((argument) => quoted(`1:${argument.name()}:(${argument.argChoices?.join(' ')})`));
}

function fishOption(command: Command, option: Option): string {
  const values = option.argChoices === undefined ? '' : ` -x -a ${quoted(option.argChoices.join(' '))}`;
  const flags = [
    ...(option.short === undefined ? [] : [`-s ${option.short.slice(1)}`]),
    ...(option.long === undefined ? [] : [`-l ${option.long.slice(2)}`]),
  ].join(' ');
  const takesFile = option.required && option.argChoices === undefined ? ' -r' : values;
  return `complete -c podgraft -n '__fish_seen_subcommand_from ${command.name()}' ${flags}${takesFile} -d ${quoted(option.description)}`;
}

function flagsOf({ short, long }: Option): string[] {
  return [short, long].filter((flag) => flag !== undefined && flag !== null);
}

/** In single quotes, which all three shells read the same way, except for the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", '’')}'`;
}
