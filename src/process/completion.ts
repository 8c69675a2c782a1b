import type { Command } from 'commander';
import { bashScript, fishScript, type Place, zshScript } from './completion-scripts.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

export type Shell = keyof typeof SCRIPTS;
export const SHELLS = Object.keys(SCRIPTS) as readonly Shell[];

/** Returns a script that lets a shell complete the commands, options and choices of a program. */
export function completionScript(program: Command, shell: Shell): string {
  return SCRIPTS[shell](program.name(), placesOf(program, program.name()));
}

function placesOf(command: Command, path: string): Place[] {
  const help = command.createHelp();
  const subcommands = help.visibleCommands(command);
  const place: Place = {
    path,
    commands: subcommands.map((one) => ({ text: one.name(), meaning: one.description() })),
    options: help.visibleOptions(command).map(({ short, long, description, required, optional, argChoices }) => ({
      flags: [long, short].filter((flag) => flag !== undefined),
      meaning: description,
      takesValue: required || optional,
      choices: argChoices ?? [],
    })),
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    takesFile: command.registeredArguments.some((argument) => argument.name() === 'file'),
  };
  return [place, ...subcommands.flatMap((one) => placesOf(one, `${path} ${one.name()}`))];
}
