import type { Command } from "../command"

const HEADINGS = ["Affiliate", "Clicks", "Orders", "Paid"]

export const affiliates: Command = {
  args: [],
  async run({ billing }) {
    const listed = await billing.operator.affiliates()
    if (listed.length === 0) return "No affiliates."
    const rows = listed.map(({ id, clicks, orders, paid }) => [id, clicks, orders, paid])
    return [HEADINGS, ...rows].map((row) => row.map((it) => String(it).padStart(9)).join("  ")).join("\n")
  },
}
