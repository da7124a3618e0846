// One asset: what its profile says.

import { useEffect, useState } from 'preact/hooks';
import { get, groupPath } from '../api.ts';
import { type Failure, failureIn } from '../failure.ts';
import { Loading } from '../shell/loading.tsx';
import { ProblemNotice } from '../shell/problem-notice.tsx';

interface Profile {
  readonly name: string;
  readonly symbol: string;
  readonly description: string | null;
}

export default function AssetPage({ id }: { readonly id: string }) {
  const [profile, setProfile] = useState<Profile | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    const control = new AbortController();
    setFailure(null);
    get<Profile>(groupPath(`assets/${encodeURIComponent(id)}`), {}, control.signal).then(
      ({ body }) => setProfile(body),
      error => setFailure(failureIn(error)),
    );
    return () => control.abort();
  }, [id, attempt]);

  if (failure) return <ProblemNotice failure={failure} onRetry={() => setAttempt(attempt + 1)} />;
  if (profile === null) return <Loading what="the asset" />;
  return (
    <article class="message-page">
      <h1>
        {profile.name} ({profile.symbol})
      </h1>
      <p>{profile.description}</p>
    </article>
  );
}
