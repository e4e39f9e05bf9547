import { expect, test } from 'vitest';
import { createAdmission } from '../../http/admission.ts';
import { loadDocument, operationsOf } from '../../http/document.ts';
import { basic, startIngestion, WRITE_KEY } from '../support/ingestion-server.ts';

const DOCUMENT = loadDocument('ingestion-api');

test.each(operationsOf(DOCUMENT))(
  'D-41: what overload answers at $template stands in the contract',
  async (operation) => {
    const { template, method, id } = operation;
    const { url } = await startIngestion(
      undefined,
      createAdmission({ requests: 0, bytes: 0 }, () => 0),
    );
    const path = template.replace('{call}', 'track').replace('{writeKey}', WRITE_KEY);
    const answer = await fetch(url + path, { method, headers: basic(WRITE_KEY) });
    const { responses = {} } = DOCUMENT.paths[template]?.[method] ?? {};
    expect(Object.keys(responses)).toContain(String(answer.status));
    // Nobody reads an error of an image.
    expect(answer.status).toBe(id === 'pixel' ? 200 : 429);
  },
);
