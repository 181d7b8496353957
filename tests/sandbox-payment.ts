import type { Shop } from "./server-process"

/** Asks the sandbox for a payment in a language, as a shop does; answers the address of its pay page. */
export async function openSandboxPayment({ url: shop, sandboxUrl }: Shop, iso: string): Promise<string> {
  const answer = await fetch(`${sandboxUrl}/offshore/payments`, {
    method: "POST",
    headers: { "idempotency-key": `payment-${iso}` },
    body: JSON.stringify({
      ...{ amount: "1234.50", currency: "EUR", reference: "attempt-with-a-long-reference-of-no-spaces-0" },
      ...{ return_url: `${shop}/checkout/waiting`, cancel_url: `${shop}/checkout/waiting` },
      callback_url: `${shop}/checkout/api/payments/offshore/callback`,
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      metadata: { locale: iso },
    }),
  })
  const { url }: { url: string } = await answer.json()
  return url
}
