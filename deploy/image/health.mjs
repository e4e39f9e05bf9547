// The health check of the image: exits with 0 while the router in this container answers.
const scheme = process.env.WAYBILL_TLS_CERT ? 'https' : 'http';
// The certificate is for a public name, and this asks the process beside it.
if (scheme === 'https') process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
const url = `${scheme}://127.0.0.1:${process.env.WAYBILL_PORT || 8080}/healthz`;
const answer = await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined);
process.exit(answer?.status === 200 ? 0 : 1);
