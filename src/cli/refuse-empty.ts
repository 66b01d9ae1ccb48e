import type { Command } from 'commander';
import { SetpointError } from '../model/index.ts';

/** What says something by being empty: the whole repository, all labels, no reason. */
const mayBeEmpty: ReadonlySet<string> = new Set(['path', 'selector', 'reason']);

/** A word that is empty is a variable of a script that was not set: it names nothing, and must not stand for what is usual. */
export function refuseEmpty(command: Command): void {
  const argument = command.registeredArguments.find((_, at) => command.processedArgs[at] === '');
  if (argument !== undefined) throw new SetpointError('Usage', `${command.name()} wants <${argument.name()}>: ${argument.description.split(',')[0]}; got nothing`);
  const option = command.options.find((each) => {
    const name = each.attributeName();
    return !mayBeEmpty.has(name) && command.getOptionValueSource(name) === 'cli' && command.getOptionValue(name) === '';
  });
  if (option !== undefined) throw new SetpointError('Usage', `${option.flags} wants a value, got nothing`);
}
