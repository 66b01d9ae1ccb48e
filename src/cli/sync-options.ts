import { Option, type Command } from 'commander';

/** How long a command that asks the agent for something stays, and how it tells the end. */
export function addFollowOptions(command: Command): Command {
  return command
    .option('--wait', 'end when the sync has ended and everything is healthy', false)
    .option('--timeout <duration>', 'wait no longer than this for the agent', '5m')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'json']).default('text'));
}

export function approveOption(): Option {
  return repeatable(new Option('--approve <hash>', 'a plan that was seen, or what a hold asks for, to be done exactly so (repeatable)'));
}

export function repeatable(option: Option): Option {
  return option.argParser((value: string, earlier: readonly string[]) => [...earlier, value]).default([], 'none');
}

/** What all that ask for a sync end with, and their own words for two of the codes. */
export function exitCodeHelp({ done, error }: { readonly done: string; readonly error: string }): string {
  return `Exit codes:
  0    ${done}
  2    an error: ${error}
  3    done, and something was held
  4    not allowed
  5    not answered in time; with --wait: not ended or not healthy in time
  130  interrupted: what was asked for goes on`;
}
