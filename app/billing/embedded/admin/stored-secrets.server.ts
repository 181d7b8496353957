import type { StoredSecret, StoredSecrets } from "~/billing/operators/stored-secrets"
import { type DbContext, guarded } from "../db/transaction.server"

/** The secrets that are stored encrypted, in the embedded database. */
export function storedSecretsOf(ctx: DbContext): StoredSecrets {
  return guarded<StoredSecrets>(ctx, { list, replace })
}

async function list({ db }: DbContext): Promise<readonly StoredSecret[]> {
  const operators = await db
    .selectFrom("operators")
    .select(["id", "email", "totp_secret"])
    .where("totp_secret", "is not", null)
    .orderBy("id")
    .execute()
  const endpoints = await db
    .selectFrom("webhook_endpoints")
    .select(["id", "secret", "former_secret"])
    .orderBy("id")
    .execute()
  return [
    ...operators.flatMap(({ id, email: name, totp_secret }) => stored("operator", { id, name }, totp_secret)),
    ...endpoints.flatMap(({ id, secret, former_secret }) => [
      ...stored("webhook", { id, name: id }, secret),
      ...stored("former-webhook", { id, name: id }, former_secret),
    ]),
  ]
}

type Owner = Pick<StoredSecret, "id" | "name">

function stored(kind: StoredSecret["kind"], owner: Owner, sealed: string | null): readonly StoredSecret[] {
  return sealed === null ? [] : [{ ...owner, kind, sealed }]
}

/** The former value is part of the condition: what an operator has changed meanwhile stays. */
async function replace(
  { db }: DbContext,
  { kind, id, sealed: former }: StoredSecret,
  sealed: string,
): Promise<boolean> {
  if (kind === "operator") {
    const { numUpdatedRows } = await db
      .updateTable("operators")
      .set({ totp_secret: sealed })
      .where("id", "=", id)
      .where("totp_secret", "=", former)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }
  const column = columns[kind]
  const { numUpdatedRows } = await db
    .updateTable("webhook_endpoints")
    .set({ [column]: sealed })
    .where("id", "=", id)
    .where(column, "=", former)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const columns = { webhook: "secret", "former-webhook": "former_secret" } as const
