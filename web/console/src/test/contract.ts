import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020';

/** A request as a test looks at it. */
export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: unknown;
}

interface Operation {
  parameters?: { name: string; in: 'path' | 'query' | 'header'; required?: boolean; explode?: boolean; schema: { type: string } }[];
  requestBody?: { content: { 'application/json'?: { schema: { $ref: string } } } };
}

const served = JSON.parse(readFileSync('../testdata/openapi.json', 'utf8')) as { paths: Record<string, Record<string, Operation>> };
const options = { strict: false, formats: { date: /^\d{4}-\d\d-\d\d$/, 'date-time': (text: string) => !Number.isNaN(Date.parse(text)), int64: true, double: true } } as const;
const bodies = new Ajv(options).addSchema(served, 'api');
const words = new Ajv({ ...options, coerceTypes: true }); // of paths, queries and headers, where a number is text

/** Returns why the API would refuse a request, according to the document that it serves. */
export function faults(asked: Asked): string[] {
  const found = operationOf(asked);
  if (!found) return [`there is no ${asked.method} ${asked.path}`];
  const { template, operation } = found;
  const parameters = operation.parameters ?? [];
  const known = parameters.filter((it) => it.in === 'query').map((it) => it.name);
  return [
    ...[...asked.query.keys()].filter((name) => !known.includes(name)).map((name) => `there is no parameter ${name}`),
    ...parameters.flatMap((it) => faultsOfParameter(it, valueOf(it, asked, template))),
    ...faultsOfBody(operation, asked.body),
  ].map((fault) => `${asked.method} ${asked.path}: ${fault}`);
}

function operationOf({ method, path }: Asked): { template: RegExp; operation: Operation } | undefined {
  for (const [address, operations] of Object.entries(served.paths)) {
    const template = new RegExp(`^${address.replace(/{(\w+)}/g, '(?<$1>[^/]+)')}$`);
    const operation = operations[method.toLowerCase()];
    if (operation && template.test(path)) return { template, operation };
  }
  return undefined;
}

type Parameter = NonNullable<Operation['parameters']>[number];

function valueOf({ name, in: where, schema, explode }: Parameter, { path, query, headers }: Asked, template: RegExp) {
  if (where === 'path') return decodeURIComponent(template.exec(path)!.groups![name]!);
  if (where === 'header') return headers.get(name) ?? undefined;
  if (!query.has(name)) return undefined;
  if (schema.type !== 'array') return query.get(name)!;
  return explode ? query.getAll(name) : query.get(name)!.split(',');
}

function faultsOfParameter({ name, required, schema }: Parameter, value: string | string[] | undefined): string[] {
  if (value === undefined) return required ? [`${name} is missing`] : [];
  return words.validate(schema, value) ? [] : [words.errorsText(undefined, { dataVar: name })];
}

function faultsOfBody({ requestBody }: Operation, body: unknown): string[] {
  const schema = requestBody?.content['application/json']?.schema;
  if (!schema) return body === undefined ? [] : ['nobody reads the body'];
  return bodies.validate(`api${schema.$ref}`, body) ? [] : [bodies.errorsText(undefined, { dataVar: 'body' })];
}
