import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { it } from 'node:test';
import { newSecret } from '../domain/alert.ts';
import { signedHeaders } from './sign.ts';

it('the signature is that of the published example of Standard Webhooks', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const headers = signedHeaders('msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330_999, '{"test": 2432232314}', secret);
  assert.deepEqual(headers, {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

it('a new secret is a key of 32 bytes, and no two are the same', () => {
  const [one, other] = [newSecret(), newSecret()];
  assert.match(one, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.notEqual(one, other);
  const key = Buffer.from(one.slice(6), 'base64');
  assert.equal(key.length, 32);
  const signature = createHmac('sha256', key).update('id.7.body ₿').digest('base64');
  assert.equal(signedHeaders('id', 7000, 'body ₿', one)['webhook-signature'], `v1,${signature}`);
});
