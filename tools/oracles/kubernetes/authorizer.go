package main

import (
	"context"
	"errors"

	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// rule: an absent field matches anything, and the first match decides.
type rule struct {
	User, Verb, Path, Group, Resource, Subresource, Namespace, Name string
	Decision, Reason, Error                                         string
}

func authorizerOf(rules []rule) authorizer.Authorizer {
	return authorizer.AuthorizerFunc(func(_ context.Context, asked authorizer.Attributes) (authorizer.Decision, string, error) {
		for _, each := range rules {
			if !each.matches(asked) {
				continue
			}
			var err error
			if each.Error != "" {
				err = errors.New(each.Error)
			}
			return each.decision(), each.Reason, err
		}
		return authorizer.DecisionNoOpinion, "", nil
	})
}

func (r rule) matches(asked authorizer.Attributes) bool {
	for wanted, found := range map[*string]string{
		&r.User:        asked.GetUser().GetName(),
		&r.Verb:        asked.GetVerb(),
		&r.Path:        asked.GetPath(),
		&r.Group:       asked.GetAPIGroup(),
		&r.Resource:    asked.GetResource(),
		&r.Subresource: asked.GetSubresource(),
		&r.Namespace:   asked.GetNamespace(),
		&r.Name:        asked.GetName(),
	} {
		if *wanted != "" && *wanted != found {
			return false
		}
	}
	return true
}

func (r rule) decision() authorizer.Decision {
	switch r.Decision {
	case "deny":
		return authorizer.DecisionDeny
	case "noOpinion":
		return authorizer.DecisionNoOpinion
	}
	return authorizer.DecisionAllow
}
