import { loadConfig } from '../config/index.ts';
import { loadHealthRules, type HealthRules } from '../health/index.ts';
import { SetpointError } from '../model/index.ts';
import { renderOptionsFrom } from './render-options.ts';

/**
 * The health rules of the configuration files that an agent started here would read; none where there are none. The rules of an agent elsewhere
 * cannot be known: they decide only what a plan waits for, and not what it changes.
 */
export async function healthRulesAtHand(process: NodeJS.Process, warn: (text: string) => void, signal: AbortSignal): Promise<HealthRules | undefined> {
  try {
    const { HOME, XDG_CONFIG_HOME, SETPOINT_CONFIG } = process.env;
    const { config } = await loadConfig({ flags: {}, env: { HOME, XDG_CONFIG_HOME, SETPOINT_CONFIG }, cwd: process.cwd(), renderOptionsOf: renderOptionsFrom, named: undefined }, signal);
    if (config.healthRules.length === 0) return undefined;
    const { rules, mistakes } = await loadHealthRules(config.healthRules);
    if (mistakes.length > 0) throw new SetpointError('Usage', `healthRules: ${mistakes.join('; ')}`);
    return rules;
  } catch (error) {
    warn(`the plan is made without the health rules of the configuration: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
