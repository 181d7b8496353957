import { AnyResponse } from "../client/api.server"
import { nullOnError } from "../client/errors"
import type { Whmcs } from "../context.server"

/** The product has no server module behind it. */
export const NO_MODULE = /not assigned to a module/i

/** Runs the server module's command that brings a change to the panel; nothing to tell where there is no panel. */
export async function pushToPanel({ api }: Whmcs, serviceid: string): Promise<void> {
  await nullOnError(NO_MODULE, api.write("ModuleChangePackage", { serviceid }, AnyResponse))
}

/** A function of the operator's own server module, by the part of its name after the module's. */
export async function runCustom({ api }: Whmcs, serviceid: string, func_name: string): Promise<void> {
  await api.write("ModuleCustom", { serviceid, func_name }, AnyResponse)
}
