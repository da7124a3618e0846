// What is known about an asset besides its prices: description, facts, tags, people, links.

import { formatCount } from '../format.ts';
import {
  asWords,
  factsOf,
  isDescribed,
  isWebAddress,
  type Link,
  linkGroups,
  type Profile,
  shortAddress,
} from './profile.ts';
import './profile.css';

export function ProfileSection({ profile }: { readonly profile: Profile }) {
  const { description, tags, team } = profile;
  const groups = linkGroups(profile);
  return (
    <section class="profile" aria-labelledby="profile-title">
      <h2 id="profile-title">About {profile.name}</h2>
      <div class="profile-parts">
        <div class="profile-words">
          {description !== null && <p class="description">{description}</p>}
          {!isDescribed(profile) && (
            <p class="note">
              No source has described this asset yet. The operator of the service can load a description with{' '}
              <code>tidemark ingest profiles FILE</code>.
            </p>
          )}
          {tags.length > 0 && (
            <ul class="tags" aria-label="Tags">
              {tags.map(tag => (
                <li key={tag.id}>
                  <a
                    href={`/?tag=${encodeURIComponent(tag.id)}`}
                    title={`${formatCount(tag.coin_counter)} assets have it`}
                  >
                    {tag.name}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </div>
        <Card title="Facts">
          <dl class="facts">
            {factsOf(profile).map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </Card>
        {groups.length > 0 && (
          <Card title="Links">
            <dl class="facts">
              {groups.map(({ type, links }) => (
                <div key={type}>
                  <dt>{asWords(type)}</dt>
                  <dd>
                    {links.map(link => (
                      <LinkLine key={link.url} link={link} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </Card>
        )}
        {team.length > 0 && (
          <Card title="Team">
            <ul class="team">
              {team.map(person => (
                <li key={`${person.id} ${person.position}`}>
                  <strong>{person.name}</strong> <span class="note">{person.position}</span>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </div>
    </section>
  );
}

function Card({ title, children }: { readonly title: string; readonly children: preact.ComponentChildren }) {
  return (
    <div class="card">
      <h3>{title}</h3>
      {children}
    </div>
  );
}

function LinkLine({ link }: { readonly link: Link }) {
  const { url, stats = {} } = link;
  const text = shortAddress(url);
  return (
    <div class="link">
      {isWebAddress(url) ? (
        <a href={url} target="_blank" rel="noopener noreferrer nofollow">
          {text}
        </a>
      ) : (
        text
      )}
      {Object.entries(stats).map(([name, count]) => (
        <span key={name} class="stat">
          {formatCount(count)} {name}
        </span>
      ))}
    </div>
  );
}
