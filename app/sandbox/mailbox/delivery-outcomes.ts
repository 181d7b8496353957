/** How the mail server treats the messages that arrive, in display order. A tester chooses one on the mailbox page. */
export const deliveryOutcomes = ["accept", "reject", "later", "hang", "cut"] as const
export type DeliveryOutcome = (typeof deliveryOutcomes)[number]

export function isDeliveryOutcome(text: unknown): text is DeliveryOutcome {
  return deliveryOutcomes.some((it) => it === text)
}
