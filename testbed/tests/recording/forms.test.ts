import { expect, test } from 'vitest';
import { createReceiver } from '../../index.ts';
import { differences, type Recorded, redacted, replay, signedAnew } from '../../recording/index.ts';

const FORM = 'application/x-www-form-urlencoded';

function form(fields: Readonly<Record<string, string>> | string, path = '/hook', type = FORM): Recorded {
  return {
    at: '2026-01-01T00:00:00.000Z',
    method: 'POST',
    path,
    headers: [['Content-Type', type]],
    body: Buffer.from(new URLSearchParams(fields).toString()),
  };
}

/** As Slack sends a click: one field, which holds JSON. */
function click(value: unknown, others: object = {}): Recorded {
  const actions = [{ action_id: 'buy', value }];
  const payload = {
    type: 'block_actions',
    token: 'legacy',
    response_url: 'https://hooks.test/T/x',
    actions,
    ...others,
  };
  return form({ payload: JSON.stringify(payload) });
}

const textOf = ({ body }: Recorded): string => Buffer.from(body).toString('utf8');
const fieldsOf = (recorded: Recorded) => Object.fromEntries(new URLSearchParams(textOf(recorded)));

test('credentials in forms are replaced by their names, and other fields stay byte for byte', () => {
  const body =
    'AccountSid=AC1&Body=a%20b+c%zz&token=t0ken&empty=&user%5Bpassword%5D=pw&flag&response_url=https%3A%2F%2Fx';
  const kept = redacted({ ...form({}), body: Buffer.from(body) });
  expect(textOf(kept)).toBe(
    'AccountSid=AC1&Body=a%20b+c%zz&token=%5Bredacted%5D&empty=&user%5Bpassword%5D=%5Bredacted%5D&flag&response_url=%5Bredacted%5D',
  );
  expect(textOf(redacted(kept))).toBe(textOf(kept));
});

test('credentials in the JSON of a field are replaced, and the field is JSON still', () => {
  const { payload = '' } = fieldsOf(redacted(click('1')));
  expect(JSON.parse(payload)).toEqual({
    type: 'block_actions',
    token: '[redacted]',
    response_url: '[redacted]',
    actions: [{ action_id: 'buy', value: '1' }],
  });
});

test('a secret is replaced in a form however the form writes it', () => {
  const secret = 'p"ss wörd+1&=!~';
  const encoded = new URLSearchParams([['', secret]]).toString().slice(1);
  const written = [encoded, encoded.toLowerCase(), encodeURIComponent(secret), encoded.replaceAll('+', '%20')];
  const json = encodeURIComponent(JSON.stringify({ note: `with ${secret}` }));
  const body = [...written.map((text, index) => `f${index}=${text}`), `payload=${json}`, `${encoded}=x`].join('&');
  const kept = redacted({ ...form({}, `/hook?copy=${encoded}&page=2`), body: Buffer.from(body) }, [secret]);
  expect(fieldsOf(kept)).toEqual({
    ...Object.fromEntries(written.map((_, index) => [`f${index}`, '[redacted]'])),
    payload: '{"note":"with [redacted]"}',
    '[redacted]': 'x',
  });
  expect(kept.path).toBe('/hook?copy=%5Bredacted%5D&page=2');
});

test('a parameter of the address is a credential however its name is written', () => {
  expect(redacted(form({}, '/hook?access%5Ftoken=t0ken&a=b#c')).path).toBe('/hook?access_token=%5Bredacted%5D&a=b#c');
});

test('without the content type of a form, a body is no form', () => {
  const plain = form('token=t0ken', '/hook', 'text/plain');
  expect(textOf(redacted(plain))).toBe('token=t0ken');
  expect(textOf(redacted({ ...plain, headers: [['content-type', `${FORM}; charset=utf-8`]] }))).toBe(
    'token=%5Bredacted%5D',
  );
});

test('differences name the fields of forms, and those of the JSON in them', () => {
  const sms = { MessageSid: 'SM1', Body: '42', NumMedia: '0' };
  expect(
    differences([form(sms), form(sms)], [form({ MessageSid: 'SM2', Body: 'hello', Zip: '1' }), form(sms)]),
  ).toEqual(['POST /hook: the field NumMedia was always there, is there at times', 'POST /hook: the field Zip is new']);
  expect(differences([click('1')], [click(1, { team: { id: 'T1' } })])).toEqual([
    'block_actions: the field payload.actions[].value was a string, is a number',
    'block_actions: the field payload.team is new',
  ]);
  const [once, twice] = [form('to=a&cc=b'), form('to=a&to=b&cc=b')];
  expect(differences([once], [twice])).toEqual([
    'POST /hook: the field to was a string, is a list',
    'POST /hook: the field to[] is new',
  ]);
});

test('a redacted form does not differ from what was sent', () => {
  expect(differences([redacted(click('1'))], [click('2')])).toEqual([]);
});

test.each(['slack', 'twilio'] as const)('a redacted form is signed anew as %s signs, and verifies', async (scheme) => {
  const secret = 's3cret';
  await using receiver = await createReceiver({ secret, scheme });
  const old = redacted(form({ token: 't0ken', To: '+1 2', Body: 'wörd' }), [secret]);
  const request = signedAnew(old, { url: `${receiver.url}/hook`, secret, scheme });
  expect((await replay(request, receiver.url)).answer).toBe(200);
  expect(await receiver.next()).toMatchObject({ signature: { verdict: 'valid' } });
});
