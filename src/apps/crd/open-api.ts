import type { Json, JsonObject } from '../../model/index.ts';
import type { BlockField, Field, Fields, HeldField, Rule } from '../fields/field.ts';

/**
 * The schema of a field for the API server. Every map keeps the fields that it does not know: what the server dropped could
 * neither be named in a condition nor survive a write by an older agent.
 */
export function openApiOf(field: HeldField): JsonObject {
  const { about } = field;
  return { ...(about === undefined ? {} : { description: about }), ...schemaOf(field) };
}

const keepsOthers = { 'x-kubernetes-preserve-unknown-fields': true };

function schemaOf(field: HeldField): JsonObject {
  switch (field.type) {
    case 'text':
      return { type: 'string', ...maxLength(field.longest), ...(field.oneOf && { enum: field.oneOf }), ...validations(field.rules) };
    case 'time':
      return { type: 'string', format: 'date-time' };
    case 'duration':
      return { type: 'string', ...maxLength(longestDuration), ...validations([durationRule(field.leastSeconds)]) };
    case 'integer':
      return { type: 'integer', format: 'int64', ...(field.least === undefined ? {} : { minimum: field.least }) };
    case 'count':
      return { 'x-kubernetes-int-or-string': true };
    case 'flag':
      return { type: 'boolean' };
    case 'texts':
      return listOf({ type: 'string' }, field.most);
    case 'textMap':
      return { type: 'object', additionalProperties: { type: 'string' } };
    case 'free':
      return { type: 'object', ...keepsOthers };
    case 'frees':
      return listOf({ type: 'object', ...(field.known && { properties: propertiesOf(field.known) }), ...keepsOthers }, field.most);
    case 'block':
      return blockOf(field);
    case 'blocks': {
      const { item, most, key } = field;
      return { ...listOf(openApiOf(item), most), ...(key === undefined ? {} : { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [key] }) };
    }
  }
}

function blockOf({ fields, required, rules }: BlockField): JsonObject {
  return { type: 'object', ...(required && { required }), properties: propertiesOf(fields), ...keepsOthers, ...validations(rules) };
}

function propertiesOf(fields: Fields): JsonObject {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, field]) => (isHeld(field) ? [[name, openApiOf(field)]] : [])));
}

function isHeld(field: Field): field is HeldField {
  return field.type !== 'unsupported' && field.type !== 'refused';
}

function listOf(items: JsonObject, maxItems: number): JsonObject {
  return { type: 'array', maxItems, items };
}

function maxLength(longest: number | undefined): JsonObject {
  return longest === undefined ? {} : { maxLength: longest };
}

function validations(rules: readonly Rule[] | undefined): JsonObject {
  return rules === undefined ? {} : { 'x-kubernetes-validations': rules as unknown as Json };
}

const longestDuration = 32;

/** The same as `durationMs` reads. CEL knows durations, but none without a unit. */
function durationRule(leastSeconds: number | undefined): Rule {
  const isSeconds = "self.matches('^[0-9]{1,9}$')";
  const isDuration = "self.matches('^([0-9]{1,9}([.][0-9]{1,9})?(ms|s|m|h))+$')";
  if (leastSeconds === undefined) return { rule: `${isSeconds} || ${isDuration}`, message: 'a duration such as 30s, 5m or 1h30m is wanted' };
  return {
    rule: `(${isSeconds} && int(self) >= ${leastSeconds}) || (${isDuration} && duration(self) >= duration('${leastSeconds}s'))`,
    message: `a duration of at least ${leastSeconds}s is wanted, such as 60s or 5m`,
  };
}
