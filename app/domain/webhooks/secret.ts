/** Whether a text is a secret of Standard Webhooks: `whsec_` and the base64 of 24 to 64 bytes. */
export function isWebhookSecret(text: string): boolean {
  return /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(text)
}
