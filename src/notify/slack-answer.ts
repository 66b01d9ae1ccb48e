import { isObject, parseJsonOrUndefined, shownText, type JsonObject, type SendOutcome } from '../model/index.ts';
import { classify, waitOf, type ClassifyOptions } from './classify.ts';
import type { HttpResult } from './http.ts';
import { redact } from './secret.ts';

export type SlackAnswer =
  | { readonly type: 'ok'; readonly body: JsonObject }
  /** The message that was to be updated is gone, or is not ours to change any more. */
  | { readonly type: 'lost' }
  | { readonly type: 'not-ok'; readonly outcome: SendOutcome };

const lost = new Set(['message_not_found', 'cant_update_message', 'edit_window_closed', 'thread_not_found', 'cannot_reply_to_message']);

// What only a person can change. Whatever is not known to be so is tried again.
const hopeless = new Set([
  'access_denied',
  'account_inactive',
  'channel_not_found',
  'ekm_access_denied',
  'invalid_arguments',
  'invalid_auth',
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_metadata_format',
  'invalid_metadata_schema',
  'is_archived',
  'metadata_too_large',
  'method_deprecated',
  'missing_scope',
  'msg_blocks_too_long',
  'msg_too_long',
  'no_permission',
  'no_text',
  'not_allowed_token_type',
  'not_authed',
  'not_in_channel',
  'org_login_required',
  'restricted_action',
  'restricted_action_non_threadable_channel',
  'restricted_action_read_only_channel',
  'restricted_action_thread_locked',
  'restricted_action_thread_only_channel',
  'team_access_not_granted',
  'token_expired',
  'token_revoked',
  'too_many_attachments',
  'two_factor_setup_required',
]);

/** Slack says 200 also where it failed: the body tells. */
export function readSlackAnswer(result: HttpResult, options: ClassifyOptions): SlackAnswer {
  const outcome = classify(result, options);
  if (outcome.type !== 'sent' || result.type !== 'answer') return { type: 'not-ok', outcome };
  const body = parseJsonOrUndefined(result.text);
  if (!isObject(body)) return { type: 'not-ok', outcome: { type: 'retry', why: `${result.host} answered ${result.status}, and not as the API of Slack does` } };
  if (body['ok'] === true) return { type: 'ok', body };
  const error = typeof body['error'] === 'string' ? body['error'] : '';
  if (lost.has(error)) return { type: 'lost' };
  const why = `Slack answered ${shownText(redact(error, options.secrets))}`;
  if (hopeless.has(error)) return { type: 'not-ok', outcome: { type: 'refused', why } };
  return { type: 'not-ok', outcome: { type: 'retry', why, ...waitOf(result.headers['retry-after'], options.now) } };
}
