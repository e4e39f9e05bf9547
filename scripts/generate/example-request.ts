/** What an example request is made of; the documents of the contract hold it. */
export interface ExampleParts {
  readonly method: string;
  readonly template: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[];
  readonly bodyExample: unknown;
}

export interface ExampleRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

/** The request that the reference shows for an operation, and that the contract tests send. */
export function exampleRequest({ method, template, parameters, bodyExample }: ExampleParts): ExampleRequest {
  const path = template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const { example } = parameters.find((one) => one.in === 'path' && one.name === name) ?? {};
    return typeof example === 'string' ? example : whole;
  });
  return { method, path, body: bodyExample === undefined ? undefined : JSON.stringify(bodyExample) };
}

/** The same as a command line, with the token in a variable. */
export function curlOf({ method, path, body }: ExampleRequest, server: string): string {
  const verb = method.toUpperCase();
  const lines = [
    // A body would make it a POST.
    `curl${verb === 'GET' && body === undefined ? '' : ` -X ${verb}`} ${server}${path}`,
    `  -H "Authorization: Bearer $WAYBILL_TOKEN"`,
    ...(body === undefined ? [] : [`  -d '${pretty(body)}'`]),
  ];
  return lines.join(' \\\n');
}

function pretty(body: string): string {
  // Inside single quotes a shell takes everything as it stands but the quote itself.
  return JSON.stringify(JSON.parse(body), null, 2).replaceAll("'", String.raw`'\''`);
}
