import { audited } from "~/cli/audited.server"
import { type Call, type Command, CommandError, UsageError } from "~/cli/command"
import { ADMIN_CLI } from "~/domain/operators/operator"
import { MAX_NOTE, noteIn, tagIn } from "~/domain/orders/order-notes"

export const addNote: Command = {
  about: "add an internal note to an order",
  args: ["NUMBER", "TEXT"],
  async run(call) {
    const [number = "", text = ""] = call.args
    const note = noteIn(text)
    if (note === null) throw new UsageError(`A note has 1 to ${MAX_NOTE} visible characters.`)
    const isAdded = await changed(call, "add-note", () =>
      call.billing.operator.addOrderNote(number, { text: note, operator: ADMIN_CLI, at: call.now }),
    )
    if (!isAdded) throw new CommandError(`Order "${number}" not found.`)
    return { text: `Note added to order ${number}.`, data: { order: number, note } }
  },
}

export const addTag: Command = {
  about: "tag an order, for operators",
  args: ["NUMBER", "TAG"],
  async run(call) {
    const [number = "", tag] = tagged(call)
    const isAdded = await changed(call, "change-tags", () =>
      call.billing.operator.addOrderTag(number, { tag, operator: ADMIN_CLI, at: call.now }),
    )
    if (!isAdded) throw new CommandError(`Order "${number}" not found.`)
    return { text: `Order ${number} has the tag ${tag}.`, data: { order: number, tag } }
  },
}

export const removeTag: Command = {
  about: "remove a tag of an order",
  args: ["NUMBER", "TAG"],
  async run(call) {
    const [number = "", tag] = tagged(call)
    if (!(await changed(call, "change-tags", () => call.billing.operator.removeOrderTag(number, tag))))
      throw new CommandError(`Order "${number}" has no tag ${tag}.`)
    return { text: `Order ${number} has no tag ${tag} any more.`, data: { order: number, tag } }
  },
}

function tagged({ args: [number = "", text = ""] }: Call): [number: string, tag: string] {
  const tag = tagIn(text)
  if (tag === null) throw new UsageError("A tag has 1 to 30 letters, digits and hyphens.")
  return [number, tag]
}

/** Runs a change with entries in the audit log. Returns whether anything has changed. */
function changed(call: Call, action: "add-note" | "change-tags", change: () => Promise<boolean>) {
  const request = { action, subject: `order ${call.args[0] ?? ""}`, reason: null }
  return audited(call, request, async () => {
    const value = await change()
    return { after: { isChanged: value }, value }
  })
}
