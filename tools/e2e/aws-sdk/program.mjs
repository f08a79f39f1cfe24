// Asks for credentials as any program with the SDK does: without a setting of its own, so that everything comes from the environment.
import { STSClient } from '@aws-sdk/client-sts';

const client = new STSClient();
const { accessKeyId } = await client.config.credentials();
console.log(JSON.stringify({ accessKeyId, region: await client.config.region() }));
setInterval(() => {}, 1000);
