import { expect, test } from 'vitest';
import { faults, type Asked } from './contract';

const ask = (method: string, address: string, body?: unknown, headers = {}): Asked => {
  const { pathname, searchParams } = new URL(address, 'http://console.test');
  return { method, path: pathname, query: searchParams, headers: new Headers(headers), body };
};
const spec = { cpu: '500m', memory: '96Mi', command: ['true'] };

test('what the API takes has no fault', () => {
  const taken = [
    ask('GET', '/v1/jobs?state=waiting,running&limit=1000&tasks=true'),
    ask('GET', '/v1/nodes/n%201'),
    ask('GET', '/v1/series?from=2026-01-01T12:00:00.000Z&rows=400'),
    ask('POST', '/v1/jobs', spec, { 'Idempotency-Key': 'once' }),
    ask('POST', '/v1/plan', { submit: spec }),
  ];
  expect(taken.flatMap(faults)).toEqual([]);
});

test.each([
  ['another path', ask('GET', '/v1/job'), 'there is no GET /v1/job'],
  ['another method', ask('PUT', '/v1/jobs'), 'there is no PUT /v1/jobs'],
  ['a parameter that nobody reads', ask('GET', '/v1/jobs?colour=red'), 'GET /v1/jobs: there is no parameter colour'],
  ['a number out of its bounds', ask('GET', '/v1/jobs?limit=1001'), 'GET /v1/jobs: limit must be <= 1000'],
  ['a word for a number', ask('GET', '/v1/jobs?limit=all'), 'GET /v1/jobs: limit must be integer'],
  ['a moment that is none', ask('GET', '/v1/series?from=lately'), 'GET /v1/series: from must match format "date-time"'],
  ['a header that is too long', ask('DELETE', '/v1/jobs/j1', undefined, { 'Idempotency-Key': 'k'.repeat(129) }), 'DELETE /v1/jobs/j1: Idempotency-Key must NOT have more than 128 characters'],
  ['no body', ask('POST', '/v1/jobs'), 'POST /v1/jobs: body must be object'],
  ['a body that nobody reads', ask('POST', '/v1/jobs/j1/hold', {}), 'POST /v1/jobs/j1/hold: nobody reads the body'],
  ['a field that is missing', ask('POST', '/v1/jobs', { cpu: '500m' }), "POST /v1/jobs: body must have required property 'memory'"],
  ['a field too many, far inside', ask('POST', '/v1/plan', { submit: { ...spec, colour: 'red' } }), 'POST /v1/plan: body/submit must NOT have additional properties'],
])('%s is told', (_, asked, fault) => {
  expect(faults(asked)).toEqual([fault]);
});
