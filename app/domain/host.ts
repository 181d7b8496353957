/** Host of a URL, as shown to buyers: "pay.example", "127.0.0.1:3001". Empty without a URL. */
export function hostOf(address: string | undefined): string {
  return address ? new URL(address).host : ""
}
