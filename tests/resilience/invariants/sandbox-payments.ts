import { DatabaseSync } from "node:sqlite"
import { z } from "zod"
import type { GatewayPayment } from "./system-state"

const Row = z.object({ id: z.string(), facts: z.string(), received: z.int() })
const StoredDetails = z.object({
  reference: z.string(),
  metadata: z.record(z.string(), z.string()).optional(),
})

/** Returns all payments that the sandbox has recorded. */
export function paymentsAtSandbox(file: string): GatewayPayment[] {
  const record = new DatabaseSync(file, { readOnly: true })
  try {
    return z.array(Row).parse(record.prepare("SELECT id, facts, received FROM payments").all()).map(paymentOf)
  } finally {
    record.close()
  }
}

function paymentOf({ id, facts: details, received }: z.output<typeof Row>): GatewayPayment {
  const { reference, metadata } = StoredDetails.parse(JSON.parse(details))
  return { names: [id, reference, ...Object.values(metadata ?? {})], received }
}
