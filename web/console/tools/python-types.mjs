// Writes the types of the REST API in Python into a file: node tools/python-types.mjs FILE
import { readFileSync, writeFileSync } from 'node:fs';
import { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype } from 'quicktype-core';

const schema = readFileSync('../testdata/openapi.json', 'utf8');
const source = new JSONSchemaInput(new FetchingJSONSchemaStore());
await source.addSource({ name: 'rest', uris: ['#/components/schemas/'], schema });
const inputData = new InputData();
inputData.addInput(source);
const { lines } = await quicktype({ inputData, lang: 'python', rendererOptions: { 'python-version': '3.7' } });
writeFileSync(process.argv[2], lines.join('\n'));
