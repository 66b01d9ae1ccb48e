import { describe, expect, test } from 'vitest';
import type { MessageTemplates } from '../../../src/model/index.ts';
import { messageOf, type Message } from '../../../src/notify/message.ts';
import { createMessageOf, type FailedTemplate } from '../../../src/notify/template.ts';
import { exampleNotification, hostileNotification } from '../../support/example-notification.ts';

function fill(templates: MessageTemplates, notification = exampleNotification()): { readonly message: Message; readonly failed: readonly FailedTemplate[] } {
  const failed: FailedTemplate[] = [];
  const message = createMessageOf({ name: 'team', templates }, { onFailed: (each) => failed.push(each) })(notification);
  return { message, failed };
}

test('without templates it is the built-in message', () => {
  expect(fill({}).message).toEqual(messageOf(exampleNotification()));
});

test.each([
  ['the built-in words', '{{ title }}', 'checkout in prod: 1 of its resources was changed by hand'],
  ['facts', '[{{ rule.severity | upcase }}] {{ cluster }}: {{ subjects[0].application.name }}', '[WARNING] prod-eu-1: checkout'],
  ['labels', '{{ subjects[0].application.labels.team }}', 'payments'],
  ['conditions on what may be absent', '{% if subjects[0].message %}{{ subjects[0].message }}{% else %}drift{% endif %}', 'drift'],
  ['times in UTC', '{{ at | date: "%H:%M" }}', '10:46'],
])('a title may use %s', (_what, title, filled) => {
  expect(fill({ title })).toMatchObject({ message: { title: filled }, failed: [] });
});

test('a text has the lines that it makes', () => {
  const text = '{% for subject in subjects %}{% for resource in subject.resources %}* {{ resource.name }}\n{% endfor %}{% endfor %}\nsee {{ next[0] }}\n';
  expect(fill({ text }).message.lines).toEqual(['* checkout', '', 'see setpoint diff checkout -n prod --plan']);
});

test('a title that is empty is the built-in one', () => {
  expect(fill({ title: '{% if false %}x{% endif %} ' }).message.title).toBe(messageOf(exampleNotification()).title);
});

describe('a template that fails gives the built-in message, a note, and word of it:', () => {
  test.each([
    ['does not parse', '{% if %}'],
    ['is never closed', '{% for a in subjects %}'],
    ['uses what there is not', '{{ nothing.here }}'],
    ['uses a filter that there is not', '{{ title | reverse_polarity }}'],
    ['reads a file', "{% include '/etc/hostname' %}"],
    ['reads a file as a part', "{% render 'package.json' %}"],
    ['reads a file as a layout', "{% layout 'package.json' %}"],
    ['looks at what all objects have', '{{ rule.toString }}'],
    ['never ends', '{% for a in (1..900000) %}{% for b in (1..900000) %}{% endfor %}{% endfor %}'],
    ['takes its time', '{% assign l = "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t" | split: "," %}{% for a in l %}{% for b in l %}{% for c in l %}{% for d in l %}{% for e in l %}{% if a == b %}{% endif %}{% endfor %}{% endfor %}{% endfor %}{% endfor %}{% endfor %}'],
    ['makes something huge', '{% assign a = "xxxxxxxxxx" %}{% for i in (1..21) %}{% assign a = a | append: a %}{% endfor %}{{ a | size }}'],
    ['is huge itself', 'x'.repeat(30_000)],
  ])('it %s', (_what, source) => {
    const builtIn = messageOf(exampleNotification());
    const { message, failed } = fill({ text: source });
    expect(failed).toEqual([{ template: 'text', why: expect.any(String) }]);
    expect(message).toEqual({ ...builtIn, lines: [...builtIn.lines, `The template text of team failed, this is the built-in text: ${failed[0]?.why}`] });
  });

  test('the title and the text each for itself', () => {
    const { message, failed } = fill({ title: '{{ oops }}', text: 'fine' });
    expect(failed).toEqual([{ template: 'title', why: expect.stringContaining('oops') }]);
    expect(message.title).toBe(messageOf(exampleNotification()).title);
    expect(message.lines).toEqual(['fine', expect.stringContaining('The template title of team failed')]);
  });
});

test('what a template makes of hostile names is bounded and plain, and is no template again', () => {
  const { message, failed } = fill({ title: '{{ subjects[0].application.name }}', text: '{% for r in subjects[0].resources limit: 100 %}{{ r.name }} {{ r.fields[0].live }}\n{% endfor %}' }, hostileNotification());
  expect(failed).toEqual([]);
  expect(message.title).toContain('{{ 7 | times: 6 }}');
  expect([message.title.length <= 200, message.lines.length <= 40, message.lines.every((line) => line.length <= 500)]).toEqual([true, true, true]);
  expect([message.title, ...message.lines].filter((text) => /[\p{Cc}\p{Cf}]/u.test(text))).toEqual([]);
});
