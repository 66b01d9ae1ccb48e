import { describe, expect, test } from 'vitest';
import { healthOf } from '../../../src/health/index.ts';
import { condition, minutesAgo, now, object, pod, waiting } from './objects.ts';

const active = { active: 1, ready: 1, startTime: '2026-03-01T09:00:00Z', uncountedTerminatedPods: {} };
const failed = condition('Failed', 'True', { reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' });

describe('a Job', () => {
  test.each([
    ['is Healthy when complete', {}, { succeeded: 1, conditions: [condition('SuccessCriteriaMet', 'True'), condition('Complete', 'True')] }, 'Healthy', undefined],
    ['is Healthy when complete though suspended afterwards', { suspend: true }, { succeeded: 1, conditions: [condition('Complete', 'True')] }, 'Healthy', undefined],
    ['is Degraded when failed', {}, { failed: 7, conditions: [condition('FailureTarget', 'True'), failed] }, 'Degraded', 'BackoffLimitExceeded: Job has reached the specified backoff limit'],
    ['is Suspended when it is told to be', { suspend: true }, {}, 'Suspended', 'suspended'],
    ['is Suspended while its controller says so', {}, { conditions: [condition('Suspended', 'True', { reason: 'JobSuspended' })] }, 'Suspended', 'suspended'],
    ['is Progressing after it was resumed', { suspend: false }, { ...active, conditions: [condition('Suspended', 'False', { reason: 'JobResumed' })] }, 'Progressing', 'running'],
    ['is Progressing before anybody has seen it', {}, {}, 'Progressing', 'running'],
    ['is Progressing while it runs', { completions: 1 }, active, 'Progressing', 'running'],
    ['counts completions', { completions: 5 }, { ...active, succeeded: 2 }, 'Progressing', '2 of 5 completions'],
    ['says that it is about to fail', {}, { ...active, conditions: [condition('FailureTarget', 'True', { reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' })] }, 'Progressing', 'is about to fail: DeadlineExceeded: Job was active longer than specified deadline'],
  ])('%s', (_name, spec, status, health, message) => {
    expect(healthOf(object('batch/v1 Job', { spec, status }), { now })).toEqual({ status: health, ...(message === undefined ? {} : { message }) });
  });

  const running = object('batch/v1 Job', { spec: {}, status: active });
  const late = { now, progressingSince: minutesAgo(300) };

  test('may run for as long as it takes', () => {
    expect(healthOf(running, late)).toEqual({ status: 'Progressing', message: 'running' });
  });

  test('may fail as often as it allows itself', () => {
    const pods = [pod('migrate-x', { state: { terminated: { exitCode: 3, reason: 'Error' } } }, { spec: { restartPolicy: 'Never' }, status: { phase: 'Failed' } })];
    expect(healthOf(running, { ...late, pods })).toEqual({ status: 'Progressing', message: 'running; pod migrate-x: container "app" ended with exit code 3' });
  });

  test('is Degraded when it cannot begin', () => {
    const { status, message } = healthOf(running, { ...late, pods: [pod('migrate-x', waiting('ImagePullBackOff'), { spec: { restartPolicy: 'Never' } })] });
    expect([status, message]).toEqual(['Degraded', 'for 5 h: running; pod migrate-x: image "registry.example.com/shop/web:1.4" cannot be pulled (ImagePullBackOff)']);
  });

  test('says why its pods failed when it has', () => {
    const pods = [pod('migrate-x', { state: { terminated: { exitCode: 3, reason: 'Error' } } }, { status: { phase: 'Failed' } })];
    const { message } = healthOf(object('batch/v1 Job', { status: { conditions: [failed] } }), { now, pods });
    expect(message).toBe('BackoffLimitExceeded: Job has reached the specified backoff limit; pod migrate-x: container "app" ended with exit code 3');
  });
});

describe('a CronJob', () => {
  const at = (scheduled: string, succeeded?: string) => ({ lastScheduleTime: scheduled, ...(succeeded === undefined ? {} : { lastSuccessfulTime: succeeded }) });

  test.each([
    ['is Healthy before its first time', {}, {}, 'Healthy', undefined],
    ['is Healthy when its last Job succeeded', {}, at('2026-03-01T11:00:00Z', '2026-03-01T11:00:40Z'), 'Healthy', undefined],
    ['is Healthy while a Job runs', {}, { ...at('2026-03-01T11:00:00Z', '2026-03-01T10:00:40Z'), active: [{ kind: 'Job', name: 'web-29' }] }, 'Healthy', undefined],
    ['is Degraded when its last Job did not succeed', {}, at('2026-03-01T11:00:00Z', '2026-03-01T10:00:40Z'), 'Degraded', 'its Job of 2026-03-01T11:00:00Z did not succeed; the last that did ended at 2026-03-01T10:00:40Z'],
    ['is Degraded when none ever succeeded', {}, at('2026-03-01T11:00:00Z'), 'Degraded', 'its Job of 2026-03-01T11:00:00Z did not succeed; none has yet'],
    ['is Suspended when it is told to be', { suspend: true }, at('2026-03-01T11:00:00Z'), 'Suspended', 'suspended'],
  ])('%s', (_name, spec, status, health, message) => {
    expect(healthOf(object('batch/v1 CronJob', { spec, status }), { now })).toEqual({ status: health, ...(message === undefined ? {} : { message }) });
  });
});
