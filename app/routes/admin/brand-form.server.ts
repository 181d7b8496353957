import { type BrandField, pathText, type TypedBrand } from "~/domain/shop/brand-fields"
import type { BrandFlaw } from "~/domain/shop/shop-sections"
import { type BrandForm, type BrandProblem, brandFlawText } from "~/flows/admin/manage-brand.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { proofIn, textIn } from "./form-text.server"

export function brandFormIn(form: FormData): BrandForm {
  return {
    reason: textIn(form, "reason").trim(),
    formKey: textIn(form, "key"),
    seen: textIn(form, "seen"),
    proof: proofIn(form),
  }
}

/** The fields of a part, as they were typed. */
export function typedIn(form: FormData, fields: readonly BrandField[]): TypedBrand {
  return Object.fromEntries(fields.map(({ path }) => [pathText(path), textIn(form, pathText(path))]))
}

/** What the page says about a form that was refused. What is wrong with a field is beside it. */
export function brandProblemText(problem: BrandProblem): string {
  return problem.kind === "invalid" ? t("brand.problems.invalid") : t(`brand.problems.${problem.kind}`)
}

/** What is wrong, by the path of the field, and what is wrong with none. */
export function flawsBeside(
  flaws: readonly BrandFlaw[],
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
