/** What a purchase leads to, as texts in the page's language. */
export type BuyingView = {
  /** Until when it runs if it is paid now; null without an end. */
  readonly until: { readonly label: string; readonly text: string } | null
  /** Whether it renews, the tax line, the name on the statement: those that there are. */
  readonly notes: readonly string[]
  readonly texts: Readonly<Record<"heading" | "payNow" | "received" | "credit" | "left", string>>
}
