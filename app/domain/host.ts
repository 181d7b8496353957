/** The host of an address, as people are told where they pay: "pay.example", "127.0.0.1:3001". Nothing for nothing. */
export function hostOf(address: string | undefined): string {
  return address ? new URL(address).host : ""
}
