// Package v1 adds the name of the API version to a scheme, and none of its types.
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func AddToScheme(scheme *runtime.Scheme) error {
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Group: "apiextensions.k8s.io", Version: "v1"})
	return nil
}
