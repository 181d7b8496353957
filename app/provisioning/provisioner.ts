import type { Service } from "~/domain/service"

/** Whoever makes lines for viewers: ourselves, an operator's panel, an Xtream-style panel. */
export interface Provisioner {
  /** Makes the line, or finds the one the same service made before. Throws a `ProvisioningError`. */
  create(line: Service): Promise<{ host: string }>
  /** The channel list of a working line as playlist text (reference: playlist-and-devices, section 2). */
  playlist(line: Service & { host: string }): Promise<string>
}

export class ProvisioningError extends Error {
  override name = "ProvisioningError"
}
