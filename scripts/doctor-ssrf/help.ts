export const HELP = `Waybill's doctor of forbidden addresses: tries every known way to write one
against the settings of this machine, through the transport that delivers, all
but its last step: no packet is sent.

  npm run doctor:ssrf
  npm run doctor:ssrf -- --allow-networks 10.1.0.0/16

Each form is refused, allowed by the settings, or escaped, which would be a
fault of Waybill.

  --allow-networks <blocks>  as the router would get it, and so all of its flags
                             (npm start -- --help) and variables
  --json                     one JSON object a line
  --help                     this text

Exit code: 0 when no form escaped, 1 when one did, 2 for a wrong flag.`;
