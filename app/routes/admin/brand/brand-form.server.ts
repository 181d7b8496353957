import { createHash } from "node:crypto"
import type { Flaw } from "~/domain/flaw"
import { type BrandField, pathText, type TypedBrand } from "~/domain/shop/brand-fields"
import type { SentKey } from "~/flows/admin/form-key.server"
import type { VersionProblem } from "~/flows/admin/make-version.server"
import { brandFlawText } from "~/flows/admin/manage-brand.server"
import { textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"

/** The fields of a part, as they were typed. */
export function typedIn(form: FormData, fields: readonly BrandField[]): TypedBrand {
  return Object.fromEntries(fields.map(({ path }) => [pathText(path), textIn(form, pathText(path))]))
}

/** The key of a form with a file: two files of one name and size are told apart. */
export async function keyWithFile(
  { key, typed }: SentKey,
  file: FormDataEntryValue | null,
): Promise<SentKey> {
  if (!(file instanceof File)) return { key, typed }
  const hash = createHash("sha256").update(new Uint8Array(await file.arrayBuffer()))
  return { key, typed: `${typed} ${hash.digest("hex")}` }
}

/** What the page says about a form that was refused. What is wrong with a field is beside it. */
export function brandProblemText(problem: VersionProblem): string {
  return problem.kind === "invalid" ? t("brand.problems.invalid") : t(`brand.problems.${problem.kind}`)
}

/** What is wrong, by the path of the field, and what is wrong with none. */
export function flawsBeside(
  flaws: readonly Flaw[],
  fields: readonly BrandField[],
): { readonly beside: TypedBrand; readonly others: readonly string[] } {
  const beside: Record<string, string> = {}
  const others: string[] = []
  for (const flaw of flaws) {
    const at = pathText(flaw.path)
    const field = fields.find(({ path }) => pathText(path) === at || pathText(path).startsWith(`${at}.`))
    if (field) beside[pathText(field.path)] ??= flaw.message
    else others.push(brandFlawText(flaw))
  }
  return { beside, others }
}
