// Receives webhooks on PORT (default 8080) and prints one line for each. WEBHOOK_SECRET is the secret of the webhook;
// during a rotation either one verifies. Needs Node and the package standardwebhooks.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

// A webhook comes at least once: put the ids into your database, with a time after which you forget them.
const seen = new Set();

const print = (line) => process.stdout.write(`${line}\n`);

async function receive(request, response) {
  // The bytes as they came: the signature is over them, not over what JSON makes of them.
  const body = await text(request);
  try {
    // Refuses other senders, changed bodies and timestamps of more than 5 minutes ago.
    webhook.verify(body, request.headers);
  } catch {
    response.writeHead(401).end();
    return;
  }
  const id = request.headers["webhook-id"];
  if (!seen.has(id)) handle(JSON.parse(body));
  seen.add(id);
  // Any status of 2xx, within 10 s; everything else is retried. Slow work belongs into a queue.
  response.writeHead(204).end();
}

function handle({ type, data }) {
  switch (type) {
    case "entry.created":
      print(`entry of ${data.metadata.contextType} ${data.metadata.contextId}`);
      break;
    case "price.changed":
      print(`price of ${data.offerId} in ${data.region}`);
      break;
    case "query.matched":
      print(`${data.offerId} ${data.type} the query`);
      break;
    default:
      // Such as webhook.test, and types that are added later.
      print(type);
  }
}

const server = createServer((request, response) => {
  receive(request, response).catch(() => response.writeHead(500).end());
});
server.listen(process.env.PORT ?? 8080, () => print(`listening on ${server.address().port}`));
