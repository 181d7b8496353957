import { expect, test } from "vitest"
import type { AuditEntry } from "~/billing/operators/audit-log"
import { auditLines } from "./audit-entries.server"

const entry: AuditEntry = {
  position: 0,
  at: 0,
  operatorId: null,
  operator: "admin CLI",
  action: "add-note",
  subject: "order 1",
  outcome: "done",
  reason: null,
  before: null,
  after: null,
  formKey: null,
  hash: "",
  previousHash: "",
}

test.each([0, 1, 500, 1_203])(
  "an exported audit log of %d entries has each of them, in their order",
  async (count) => {
    const stored = Array.from({ length: count }, (_, at) => ({ ...entry, position: at + 1 }))
    const page = async ({ after, limit }: { after: number; limit: number }) =>
      stored.filter(({ position }) => position > after).slice(0, limit)
    const positions: number[] = []
    for await (const line of auditLines({ page })) positions.push(JSON.parse(line).position)
    expect(positions).toEqual(stored.map(({ position }) => position))
  },
)
