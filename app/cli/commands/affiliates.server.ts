import type { Command } from "../command"

const HEADINGS = ["Affiliate", "Clicks", "Orders", "Paid"]

export const listAffiliates: Command = {
  about: "clicks, orders and paid orders of each affiliate",
  args: [],
  async run({ billing }) {
    const listed = await billing.operator.affiliates()
    const data = { affiliates: listed.map(({ id, clicks, orders, paid }) => ({ id, clicks, orders, paid })) }
    if (listed.length === 0) return { text: "No affiliates.", data }
    const rows = listed.map(({ id, clicks, orders, paid }) => [id, clicks, orders, paid])
    const columns = (row: readonly (string | number)[]) => row.map((it) => String(it).padStart(9)).join("  ")
    return { text: [HEADINGS, ...rows].map(columns).join("\n"), data }
  },
}
