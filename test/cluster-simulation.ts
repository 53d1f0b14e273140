import { createRandom, type Random } from '../src/statistics/random.ts';

/** A design of equal clusters. */
export interface Design {
  readonly clusters: number;
  readonly size: number;
  /** Intra-cluster correlation. */
  readonly icc: number;
}

/** Random outcomes in clusters: each cluster has probabilities of its own, drawn around the common ones (Dirichlet). */
export class ClusterSimulation {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = createRandom(seed);
  }

  /** The cluster of each row. */
  static clusterOf({ clusters, size }: Design): Int32Array {
    return Int32Array.from({ length: clusters * size }, (_, row) => Math.floor(row / size));
  }

  /** One category for each row, with the chances given. */
  draw({ clusters, size, icc }: Design, chances: readonly number[]): Uint8Array {
    const rows = new Uint8Array(clusters * size);
    for (let cluster = 0; cluster < clusters; cluster++) {
      const own = icc === 0 ? chances : this.#dirichlet(chances, (1 - icc) / icc);
      for (let row = cluster * size; row < (cluster + 1) * size; row++) rows[row] = this.#pick(own);
    }
    return rows;
  }

  #pick(chances: readonly number[]): number {
    let rest = this.#random.float();
    for (let category = 0; category < chances.length - 1; category++) {
      rest -= chances[category]!;
      if (rest < 0) return category;
    }
    return chances.length - 1;
  }

  /** Around `chances`; the larger the concentration, the closer. */
  #dirichlet(chances: readonly number[], concentration: number): number[] {
    const drawn = chances.map((chance) => (chance === 0 ? 0 : this.#gamma(chance * concentration)));
    const sum = drawn.reduce((total, value) => total + value, 0);
    return drawn.map((value) => value / sum);
  }

  /** Marsaglia & Tsang 2000. */
  #gamma(shape: number): number {
    if (shape < 1) return this.#gamma(shape + 1) * (1 - this.#random.float()) ** (1 / shape);
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = this.#normal();
      const v = (1 + c * x) ** 3;
      if (v <= 0) continue;
      if (Math.log(1 - this.#random.float()) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v;
    }
  }

  #normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.#random.float()));
    return radius * Math.cos(2 * Math.PI * this.#random.float());
  }
}
