import type { CatalogueSaying } from "~/billing/catalogue/catalogue-admin"
import type { Version, VersionRange } from "~/billing/versions"
import type { Product } from "~/domain/catalogue"
import type { DbContext } from "../db/transaction.server"
import {
  lastFormKeyIn,
  lastVersion,
  lastVersionRow,
  type NewVersion,
  versionOf,
  versionRow,
  versionsIn,
  writeVersion,
} from "../versions/version-table.server"
import { contentOf, readContent } from "./catalogue-file"

const TABLE = "catalogue_versions"

/** 0 without a version. */
export async function latestVersion(ctx: DbContext): Promise<number> {
  return (await lastVersion(ctx, TABLE))?.number ?? 0
}

/** See `Versions.lastFormKey`. */
export function lastFormKey(ctx: DbContext): Promise<string | null> {
  return lastFormKeyIn(ctx, TABLE)
}

export function versions(ctx: DbContext, range: VersionRange): Promise<readonly Version[]> {
  return versionsIn(ctx, TABLE, range)
}

export async function version(ctx: DbContext, number: number): Promise<(Version & CatalogueSaying) | null> {
  const row = await versionRow(ctx, TABLE, number)
  return row ? { ...versionOf(row), products: readContent(JSON.parse(row.content ?? "")) } : null
}

type Replacement = { readonly before: readonly Product[]; readonly after: readonly Product[] }

/**
 * Writes a version, in the transaction that replaces the products, and before it. Products that are in no version, as after an
 * upgrade, become one first, so that they can be taken back to.
 */
export async function recordVersion(ctx: DbContext, { before, after }: Replacement, made: NewVersion) {
  const last = await lastVersionRow(ctx, TABLE)
  const present = textOf(before)
  const found = last?.content === present || before.length === 0 ? null : present
  return writeVersion(ctx, TABLE, { last, before: present, after: textOf(after), found }, made)
}

function textOf(products: readonly Product[]): string {
  return JSON.stringify(contentOf(products))
}
