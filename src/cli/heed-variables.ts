import type { EventEmitter } from 'node:events';
import type { Command, Option } from 'commander';
import { SetpointError } from '../model/index.ts';

const truths: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false };

/**
 * Has every command read its variables as the agent does: an empty one is not set, a truth value is read, a list has a line for
 * each item. Commander takes a flag for said as soon as its variable is there, whatever it says, and checks an empty text like any other.
 */
export function heedVariables(command: Command, env: NodeJS.ProcessEnv): void {
  for (const option of command.options) if (option.envVar !== undefined) heed(command, option, env[option.envVar] ?? '');
  for (const child of command.commands) heedVariables(child, env);
}

function heed(command: Command, option: Option, text: string): void {
  const event = `optionEnv:${option.name()}`;
  // Its types show one half of what it inherits.
  const emitter = command as unknown as EventEmitter;
  const usual = emitter.listeners(event);
  emitter.removeAllListeners(event);
  command.on(event, () => {
    if (text === '') return;
    if (option.isBoolean()) return void command.setOptionValueWithSource(option.attributeName(), truth(option, text), 'env');
    const said = Array.isArray(option.defaultValue) ? text.split('\n').filter((line) => line !== '') : [text];
    for (const each of said) for (const listener of usual) listener(each);
  });
}

function truth({ envVar = '' }: Option, text: string): boolean {
  const value = Object.hasOwn(truths, text) ? truths[text] : undefined;
  if (value === undefined) throw new SetpointError('Usage', `${envVar} wants true or false, got "${text}"`);
  return value;
}
