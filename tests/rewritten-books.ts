import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Shop } from "./server-process"

/** A day passes for one order: its deadline lies in the past when the shop starts again and sweeps. */
export async function afterTheDeadline(shop: Shop, number: string): Promise<void> {
  await shop.kill9()
  const books = new DatabaseSync(join(shop.dataDir, "books.db"))
  // The sweep's lease of the process that was killed is over too.
  books.exec("DELETE FROM leases")
  books.prepare("UPDATE orders SET deadline = placed_at WHERE id = ?").run(number)
  books.close()
  await shop.restart()
}

/** A gateway has seen the order's payment and waits for it to be confirmed; the sandbox never lets anybody wait. */
export function seenByTheGateway(shop: Shop, number: string): void {
  const books = new DatabaseSync(join(shop.dataDir, "books.db"))
  books
    .prepare(
      `INSERT INTO order_events (order_id, position, kind, at)
         SELECT order_id, max(position) + 1, 'seen', max(at) FROM order_events WHERE order_id = ?`,
    )
    .run(number)
  books.close()
}
