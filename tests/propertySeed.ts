import fc from 'fast-check';

/** Property tests take the same samples in every run, so that one failure is every run's failure; `PROPERTY_SEED=n` looks elsewhere. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20261116) });
