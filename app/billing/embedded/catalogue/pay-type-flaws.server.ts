import type { CatalogueFlaw } from "~/billing/catalogue/catalogue-admin"
import type { Product } from "~/domain/catalogue/catalogue"
import type { DbContext } from "../db/transaction.server"

/**
 * Plans whose payment changes although services were sold with the former one: whether a service has an end follows from it. Back to
 * the payment that all services have, a plan can be changed.
 */
export async function payTypeFlaws(
  tx: DbContext,
  { before, after }: { readonly before: readonly Product[]; readonly after: readonly Product[] },
): Promise<readonly CatalogueFlaw[]> {
  const former = new Map(before.map(({ id, payType }) => [id, payType]))
  const plans = after.filter(({ kind }) => kind === "plan")
  const flaws = await Promise.all(
    plans.map(async ({ id, payType }, index): Promise<readonly CatalogueFlaw[]> => {
      const isChanged = (former.get(id) ?? payType) !== payType
      if (!isChanged || !(await wasSoldOtherwise(tx, id, payType))) return []
      const message = `cannot change, because product ${id} has services: add a product with a new id instead`
      return [{ path: ["plans", index, "paytype"], message }]
    }),
  )
  return flaws.flat()
}

/** Whether a plan has services that were sold with the other payment, or that still wait for theirs. */
async function wasSoldOtherwise(
  { db }: DbContext,
  productId: string,
  payType: Product["payType"],
): Promise<boolean> {
  const service = await db
    .selectFrom("services")
    .select("id")
    .where("product_id", "=", productId)
    .where("kind", "=", "plan")
    .where("status", "!=", "Cancelled")
    .where((row) =>
      row.or([
        row("status", "=", "Pending"),
        row("term_anchor", payType === "onetime" ? "is not" : "is", null),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return service !== undefined
}
